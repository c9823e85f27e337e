import { app } from "./strings/app";
import { chat } from "./strings/chat";
import { code } from "./strings/code";
import { fairies } from "./strings/fairies";
import { text } from "./strings/text";
import { together } from "./strings/together";

/** Every word the studio says, in one place: to read, to improve, to translate. */
export const strings = { ...app, ...chat, ...code, ...fairies, ...text, ...together };

import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { Boundary } from "./app/Boundary";
import { Tips } from "./ui/Tip";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/app.css";
import "./styles/editor.css";
import "./styles/ui.css";
import "./styles/dialog.css";
import "./styles/pages.css";
import "./styles/panel.css";
import "./styles/side.css";
import "./styles/comments.css";
import "./styles/projects.css";
import "./styles/tasks.css";
import "./styles/chat.css";
import "./styles/fairy.css";
import "./styles/pending.css";
import "./styles/why.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <Boundary>
      <Tips>
        <App />
      </Tips>
    </Boundary>,
  );
}

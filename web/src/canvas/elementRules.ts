import rules from "../../../crates/glade-doc/src/element-rules.json";
import { strokesOf } from "./strokes";
import { TEXT, type Props } from "./schema";

/**
 * What an element may be, by the rules that the server's gate holds updates against (`glade-doc/src/rules.rs`). A page
 * may have been spoilt before there were rules: the editor never sees an element that does not fit.
 */
export interface Fault {
  property: string;
  kind: FaultKind;
}

export type FaultKind = "name" | "type" | "value" | "large" | "strokes" | "page" | "table" | "broken";

type Rule =
  | { rule: "type" | "flag" | "word" | "name" | "signs" }
  | { rule: "number" | "whole"; min: number; max: number }
  | { rule: "numbers" | "points"; most: number; within: number }
  | { rule: "text" | "names"; most: number }
  | { rule: "list"; most: number; of: Rule }
  | { rule: "record"; fields: Record<string, Rule> };

const BARRED = new Set(rules.barred);
const RESERVED = new Set(rules.reserved);
const PROPERTIES = new Map(Object.entries(rules.properties)) as Map<string, unknown> as Map<string, Rule>;

const BLOCKS = new Map(Object.entries(rules.blocks)) as Map<string, unknown> as Map<string, Rule>;

/** Whether a block of a text page may have this attribute. */
export function fitsBlock(attribute: string, value: unknown): boolean {
  const rule = BLOCKS.get(attribute);
  return rule ? fits(rule, value) : fitsAnything(value);
}

/** Whether a name means something to every object. */
export const isReserved = (name: string): boolean => RESERVED.has(name);

/** The first property of an element that does not fit, in the order of their names; or all of them together. */
export function faultOf(props: Props): Fault | undefined {
  // A property of this name, once set, is none.
  if (Object.getPrototypeOf(props) !== Object.prototype) {
    return { property: "__proto__", kind: "name" };
  }
  for (const property of Object.keys(props).sort()) {
    const kind = faultIn(property, props[property]);
    if (kind) {
      return { property, kind };
    }
  }
  const strokes = strokesOf(props);
  return strokes.count > rules.strokes ? { property: strokes.property, kind: "strokes" } : undefined;
}

function faultIn(property: string, value: unknown): FaultKind | undefined {
  if (RESERVED.has(property) || bytes(property) > rules.name) {
    return "name";
  }
  if (value === null || value === undefined) {
    return undefined;
  }
  if (property === TEXT) {
    return typeof value !== "string" ? "value" : value.length > rules.words ? "large" : undefined;
  }
  const rule = PROPERTIES.get(property);
  if (!rule) {
    return fitsAnything(value) ? undefined : "value";
  }
  if (fits(rule, value)) {
    return undefined;
  }
  return rule.rule === "type" ? "type" : typeof value === "number" || Array.isArray(value) || typeof value === "string" ? "large" : "value";
}

function fits(rule: Rule, value: unknown): boolean {
  switch (rule.rule) {
    case "type":
      return isName(value) && !BARRED.has(value);
    case "number":
      return isNumber(value) && value >= rule.min && value <= rule.max;
    case "whole":
      return Number.isInteger(value) && (value as number) >= rule.min && (value as number) <= rule.max;
    case "numbers":
      return isList(value, rule.most) && value.every((item) => isNear(item, rule.within));
    case "points":
      return (
        isList(value, rule.most) &&
        value.every(
          (item) => Array.isArray(item) && (item.length === 2 || item.length === 3) && item.every((axis) => isNear(axis, rule.within)),
        )
      );
    case "flag":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string" && value.length <= rule.most;
    case "word":
    case "name":
      return isName(value);
    case "names":
      return isList(value, rule.most) && value.every(isName);
    case "signs":
      return isList(value, 2) && value.length === 2 && value.every((item) => item === 1 || item === -1);
    case "list":
      return isList(value, rule.most) && value.every((item) => fits(rule.of, item));
    case "record":
      return (
        isRecord(value) &&
        fitsAnything(value) &&
        Object.entries(rule.fields).every(([name, field]) => (value[name] ?? null) === null || fits(field, value[name]))
      );
  }
}

function fitsAnything(value: unknown): boolean {
  const { depth, values, text, number } = rules.anything;
  let left = values;
  const look = (value: unknown, deeper: number): boolean => {
    if (left-- <= 0 || deeper <= 0) {
      return false;
    }
    if (typeof value === "number") {
      return Math.abs(value) <= number;
    }
    if (typeof value === "string") {
      return value.length <= text;
    }
    if (Array.isArray(value)) {
      return value.every((item) => look(item, deeper - 1));
    }
    if (typeof value === "object" && value !== null) {
      return Object.entries(value).every(([name, item]) => !RESERVED.has(name) && name.length <= text && look(item, deeper - 1));
    }
    return value === null || typeof value === "boolean";
  };
  return look(value, depth);
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isNear = (value: unknown, within: number): boolean => isNumber(value) && Math.abs(value) <= within;
const isName = (value: unknown): value is string => typeof value === "string" && value.length <= rules.name && !RESERVED.has(value);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown, most: number): value is unknown[] => Array.isArray(value) && value.length <= most;
const bytes = (text: string): number => (text.length * 3 <= rules.name ? text.length : new TextEncoder().encode(text).length);

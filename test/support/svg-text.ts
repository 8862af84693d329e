/** Reads the SVG that the program writes: strict enough that what passes here is well-formed XML. */
import { assert } from "../../shared/base/assert.ts";

export interface SvgElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: SvgElement[];
  text: string;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decode(text: string): string {
  assert(!text.includes("<"), `a bare < in ${text}`);
  return text.replace(/&([^;]*;?)/g, (whole, name: string) => {
    const known = entities[name.replace(/;$/, "")];
    assert(known !== undefined && name.endsWith(";"), `no entity: ${whole}`);
    return known;
  });
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const rest = text.replace(/\s+([a-zA-Z:-]+)="([^"]*)"/g, (_, name: string, value: string) => {
    assert(!(name in found), `${name} twice`);
    found[name] = decode(value);
    return "";
  });
  assert(rest.trim() === "", `attributes that cannot be read: ${rest}`);
  return found;
}

/** The root element. Throws on anything that is not well-formed. */
export function parseSvg(xml: string): SvgElement {
  const start = '<?xml version="1.0" encoding="UTF-8"?>';
  assert(xml.startsWith(start), "an XML declaration");
  const root: SvgElement = { tag: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const tokens = /<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/gy;
  tokens.lastIndex = start.length;
  while (tokens.lastIndex < xml.length) {
    const at = tokens.lastIndex;
    const hit = tokens.exec(xml);
    assert(hit !== null, `cannot be read: ${xml.slice(at, at + 80)}`);
    const parent = open.at(-1);
    assert(parent !== undefined, "one root");
    const [, closing, tag = "", attributes = "", empty, text] = hit;
    if (text !== undefined) parent.text += decode(text);
    else if (closing === "/") {
      assert(open.pop()?.tag === tag, `</${tag}> closes nothing`);
    } else {
      const element: SvgElement = { tag, attributes: attributesOf(attributes), children: [], text: "" };
      parent.children.push(element);
      if (empty !== "/") open.push(element);
    }
  }
  assert(open.length === 1, `${open.at(-1)?.tag ?? ""} is not closed`);
  const [svg, ...others] = root.children;
  assert(svg?.tag === "svg" && others.length === 0, "one svg element");
  return svg;
}

/** The element and everything in it. */
export function allOf(element: SvgElement): readonly SvgElement[] {
  return [element, ...element.children.flatMap(allOf)];
}

/** What is in a group. */
export function groupOf(svg: SvgElement, id: string): readonly SvgElement[] {
  const group = svg.children.find(({ attributes }) => attributes.id === id);
  assert(group !== undefined, `a group ${id}`);
  return group.children;
}

/** Lines or outlines in paths. */
export function strokesIn(elements: readonly SvgElement[]): number {
  return elements.reduce((sum, { attributes }) => sum + (attributes.d?.match(/M/g)?.length ?? 0), 0);
}

/** Finding glyphs in elements: each begins with its disc. */
export function glyphsIn(elements: readonly SvgElement[]): number {
  return elements.filter(({ attributes }) => attributes.d?.startsWith("M-1.4 7a8.4 8.4") ?? false).length;
}

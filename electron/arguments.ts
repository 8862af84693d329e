/** The window's own command line. */

export interface WindowArguments {
  readonly initial: { open: "nothing" } | { open: "simulated"; name: string } | { open: "paths"; paths: string[] };
  /** Draw what was asked for, write a picture here, print one summary and end. */
  readonly screenshot: string | undefined;
}

/**
 * Reads the arguments behind the program's own: `--simulated NAME`, `--screenshot FILE`, paths. Switches of Chromium
 * (other words with two dashes) are passed over.
 */
export function readWindowArguments(words: readonly string[]): WindowArguments {
  let simulated: string | undefined;
  let screenshot: string | undefined;
  const paths: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    const [name, inline] = word.startsWith("--") ? splitOption(word) : ["", undefined];
    if (name === "--simulated" || name === "--screenshot") {
      const value = inline ?? words[(i += 1)];
      if (name === "--simulated") simulated = value ?? "fat-tree";
      else screenshot = value;
    } else if (!word.startsWith("-") && word !== "") {
      paths.push(word);
    }
  }
  if (paths.length > 0) return { initial: { open: "paths", paths }, screenshot };
  if (simulated !== undefined) return { initial: { open: "simulated", name: simulated }, screenshot };
  return { initial: { open: "nothing" }, screenshot };
}

/**
 * The program's own words of a command line: behind the executable and, from a checkout, behind the application folder,
 * which is the first word that is no switch.
 */
export function ownWords(argv: readonly string[], packaged: boolean): readonly string[] {
  const words = argv.slice(1);
  if (packaged) return words;
  const folder = words.findIndex((word) => !word.startsWith("-"));
  return folder < 0 ? words : [...words.slice(0, folder), ...words.slice(folder + 1)];
}

function splitOption(word: string): [string, string | undefined] {
  const equals = word.indexOf("=");
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

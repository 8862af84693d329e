/** The scripts that a simulated shell can run: simple commands one after the other, of plain words and of the script's own. */

export interface SimpleCommand {
  /** `$?` stands for the exit code of the command before. */
  readonly words: readonly string[];
  /** Ends with `>&2`. */
  readonly toStderr: boolean;
}

const plain = /^[\w@%+:,./=-]+$/;
const parameter = /^"\$\{(\d{1,4})\}"$/;

/** Reads a script; `parameters` are the words after it, `$0` first. Undefined when it needs more than this shell can do. */
export function simpleCommands(script: string, parameters: readonly string[]): readonly SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = [];
  for (const part of script.split(/[;\n]/)) {
    const given = part
      .trim()
      .split(/\s+/)
      .filter((word) => word !== "");
    const toStderr = given.at(-1) === ">&2";
    const words: string[] = [];
    for (const word of toStderr ? given.slice(0, -1) : given) {
      const number = parameter.exec(word)?.[1];
      const value = number === undefined ? word : parameters[Number(number)];
      if (value === undefined || (number === undefined && word !== "$?" && !plain.test(word))) return undefined;
      words.push(value);
    }
    if (words.length > 0) commands.push({ words, toStderr });
  }
  return commands;
}

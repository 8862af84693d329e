/** Failures of outputs, captures and files, in words. */
import { assertUnreachable } from "../base/assert.ts";
import type { Explanation } from "./explanation.ts";
import type { AppError } from "./kinds.ts";

type InputError = Extract<
  AppError,
  {
    kind:
      | "parse"
      | "empty-output"
      | "not-recognised"
      | "failed-output"
      | "too-large"
      | "several-fabrics"
      | "no-topology"
      | "file"
      | "capture-damaged"
      | "capture-newer";
  }
>;

/** `64 MiB`. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MiB`;
}

/** Every kind of InputError in words; a new one among them does not compile until it has some. */
export function explainInput(error: InputError): Explanation {
  switch (error.kind) {
    case "parse":
      return {
        title: `${error.file} could not be read`,
        sentence: `Line ${error.line} of ${error.file} could not be read: expected ${error.expected}.`,
        remedy: ["Check that the file is the whole, unchanged output of the tool."],
        detail: error.excerpt,
        retry: false,
      };
    case "empty-output":
      return {
        title: "Nothing in it",
        sentence: `${error.what} is empty: the tool printed nothing, or the file was not written.`,
        remedy: ["Run the tool again and look at its error output."],
        detail: "",
        retry: false,
      };
    case "not-recognised": {
      const what = {
        binary: "is a binary file",
        image: "is a picture",
        archive: "is an archive that Ibex cannot open",
        directory: "holds no output that Ibex recognises",
        text: "is text, but not the output of a tool that Ibex knows",
      }[error.hint];
      return {
        title: "Not a fabric",
        sentence: `${error.path} ${what}.`,
        remedy: [
          "Open a .fabric capture, or the text of ibnetdiscover, iblinkinfo or sminfo: single files or a folder with them.",
        ],
        detail: "",
        retry: false,
      };
    }
    case "failed-output":
      return {
        title: `${error.tool} found nothing`,
        sentence:
          error.said === ""
            ? `${error.path} is an output of ${error.tool} without a single node: the tool found nothing, or the file is cut.`
            : `${error.path} is the output of an ${error.tool} run that failed: "${error.said}" (line ${error.line}).`,
        remedy: [
          "Run the tool again as root on a host with an active InfiniBand port.",
          "Save its whole output: ibnetdiscover > ibnetdiscover.txt",
        ],
        detail: error.said,
        retry: false,
      };
    case "too-large":
      return {
        title: "Too large",
        sentence: `${error.path} has ${megabytes(error.bytes)}; Ibex reads outputs up to ${megabytes(error.limitBytes)}.`,
        remedy: ["Check that it is the output of one run. The largest known fabrics print less than 100 MiB."],
        detail: "",
        retry: false,
      };
    case "several-fabrics":
      return {
        title: "More than one fabric",
        sentence: `${error.path} holds the outputs of more than one fabric.`,
        remedy: ["Open the files of one fabric at a time."],
        detail: error.files.join("\n"),
        retry: false,
      };
    case "no-topology":
      return {
        title: "No topology in it",
        sentence: `${error.path} has no ibnetdiscover or iblinkinfo output, so there is nothing to draw${error.found.length === 0 ? "" : ` (found: ${error.found.join(", ")})`}.`,
        remedy: ["Add the output of ibnetdiscover, or of iblinkinfo --line."],
        detail: "",
        retry: false,
      };
    case "file": {
      const reason =
        {
          ENOENT: error.operation === "write" ? "its folder is missing, or takes nothing new" : "it does not exist",
          EACCES: "access is denied",
          EPERM: "access is denied",
          ENOSPC: "the disk is full",
          EISDIR: "it is a folder",
          EEXIST: "something else has that name",
          ENOTDIR: "a part of the path is no folder",
          ELOOP: "its links lead round in circles",
          EROFS: "the disk is read-only",
          ENOTSUP: "it is no ordinary file",
        }[error.code] ?? error.code;
      const verb = { read: "read", write: "written", list: "listed" }[error.operation];
      return {
        title: "File trouble",
        sentence: `${error.path} could not be ${verb}: ${reason}.`,
        remedy:
          error.operation === "write"
            ? ["Choose another place, or free space there."]
            : ["Check the path and its permissions."],
        detail: error.code,
        retry: true,
      };
    }
    case "capture-damaged":
      return {
        title: "The capture is damaged",
        sentence: `${error.path} is not whole: ${error.problem}.`,
        remedy:
          error.readable.length === 0
            ? ["Open another copy of the capture."]
            : ["Another copy may be whole.", "Unpack it with a zip program and open the outputs that are whole."],
        detail: error.readable.length === 0 ? "" : `Whole in it:\n${error.readable.join("\n")}`,
        retry: false,
      };
    case "capture-newer":
      return {
        title: "The capture is from a newer Ibex",
        sentence: `${error.path} has format version ${error.version}, newer than this Ibex knows.`,
        remedy: ["Update Ibex, or unpack the capture with a zip program and open the outputs in it."],
        detail: "",
        retry: false,
      };
    default:
      return assertUnreachable(error);
  }
}

/** Failures on the way to a machine, in words. */
import { assertUnreachable } from "../base/assert.ts";
import type { Explanation } from "./explanation.ts";
import type { AppError } from "./kinds.ts";

type ReachingError = Extract<
  AppError,
  {
    kind:
      | "unreachable"
      | "auth"
      | "key-file"
      | "host-key-unknown"
      | "host-key-changed"
      | "connection-lost"
      | "channel-refused";
  }
>;

function unreachableReason(code: string): string {
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "the name is not known here";
    case "ECONNREFUSED":
      return "nothing listens on that port";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "there is no route to it";
    case "ETIMEDOUT":
      return "it did not answer in time";
    case "ECONNRESET":
      return "it closed the connection before SSH began";
    default:
      return code === "" ? "it does not answer" : code;
  }
}

/** Every kind of ReachingError in words; a new one among them does not compile until it has some. */
export function explainReaching(error: ReachingError): Explanation {
  switch (error.kind) {
    case "unreachable":
      return {
        title: `${error.host} cannot be reached`,
        sentence: `${error.host}, port ${error.port}, cannot be reached: ${unreachableReason(error.code)}.`,
        remedy: [
          "Check the name and the port.",
          "If it is behind another machine, name that as the jump host.",
          "Check that the VPN is up.",
        ],
        detail: error.code,
        retry: true,
      };
    case "auth":
      return {
        title: `${error.host} refused the login`,
        sentence: `${error.host} refused the login of ${error.user}${error.tried.length === 0 ? "" : ` (tried: ${error.tried.join(", ")})`}.`,
        remedy: [
          "Check the user name.",
          "Choose a key file, or sign in with a password.",
          "Load the key into the SSH agent: ssh-add.",
        ],
        detail: error.detail ?? "",
        retry: true,
      };
    case "key-file": {
      const problem = {
        missing: "does not exist",
        unreadable: "cannot be read",
        "not-a-key": "is not a private key that Ibex can read",
        passphrase: "is locked with a passphrase that was not given or not right",
      }[error.problem];
      return {
        title: "The key file cannot be used",
        sentence: `The key file ${error.path} ${problem}.`,
        remedy: ["Choose another key file.", "Load the key into the SSH agent and sign in with the agent."],
        detail: "",
        retry: true,
      };
    }
    case "host-key-unknown":
      return {
        title: `The host key of ${error.host} is not known`,
        sentence: `${error.host} shows a ${error.keyType} host key that is not in known_hosts: ${error.fingerprint}.`,
        remedy: [
          "Compare the fingerprint with the one its administrator tells you, then accept it.",
          "On the command line add --accept-new-host-key.",
        ],
        detail: "",
        retry: true,
      };
    case "host-key-changed":
      return {
        title: `The host key of ${error.host} has changed`,
        sentence: `${error.host} shows another host key than before. Somebody may listen in, or the host was installed anew. Nothing was sent.`,
        remedy: [
          "Ask its administrator whether the host was installed anew.",
          `If so, remove line ${error.line} of ${error.file} and connect again.`,
        ],
        detail: `now ${error.keyType} ${error.fingerprint}\nknown ${error.known}\n${error.file}:${error.line}`,
        retry: false,
      };
    case "connection-lost":
      return {
        title: `Connection to ${error.host} lost`,
        sentence: `The connection to ${error.host} was lost during ${error.during}. What was collected before is kept.`,
        remedy: ["Check the network or the VPN, then try again."],
        detail: "",
        retry: true,
      };
    case "channel-refused":
      return {
        title: `${error.host} opens no further session`,
        sentence: `${error.host} refused a further session on the connection.`,
        remedy: ["Raise MaxSessions in its sshd_config, or end other sessions of this login."],
        detail: error.detail,
        retry: true,
      };
    default:
      return assertUnreachable(error);
  }
}

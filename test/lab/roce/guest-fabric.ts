import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startIbLab } from "../ib-lab.ts";
import type { IbLab } from "../ib-lab.ts";
import { makeFatTreeNet } from "../net-file.ts";
import { roceGuests, startRoceLab } from "./roce-lab.ts";
import type { RoceLab } from "./roce-lab.ts";

/** A simulated fabric two hosts of which are real: their cables can be measured with real tools. */
export interface GuestFabric {
  /** The fabric: leaf-01 with hosta, leaf-02 with hostb, one spine between, and the management hosts. */
  readonly ib: IbLab;
  /** hosta and hostb. The fabric's key (`ib.keyFile`) may log in there as well. */
  readonly roce: RoceLab;
  /** A host map file that says how the guests are reached from the fabric's login host, and from this machine. */
  readonly hostMapFile: string;
  stop(): Promise<void>;
}

/** Starts both labs; about 10 s, half a minute more where the guest is built for the first time. */
export async function startGuestFabric(say: (text: string) => void = () => undefined): Promise<GuestFabric> {
  const hosts = roceGuests.map(({ name, device, nodeGuid }) => ({ name, device, nodeGuid }));
  const ib = await startIbLab({ net: makeFatTreeNet({ spines: 1, leaves: 2, hostsPerLeaf: 1, cables: 1, hosts }) });
  try {
    const key = await readFile(`${ib.keyFile}.pub`, "utf8");
    const roce = await startRoceLab({ say, authorizedKeys: [key.trim()] });
    const hostMapFile = join(ib.directory, "hosts.txt");
    const lines = roce.hosts.map(({ name, user, port }) => `${name} ${user}@127.0.0.1:${port}\n`);
    await writeFile(hostMapFile, lines.join(""));
    return {
      ib,
      roce,
      hostMapFile,
      async stop() {
        await roce.stop();
        await ib.stop();
      },
    };
  } catch (error) {
    await ib.stop();
    throw error;
  }
}

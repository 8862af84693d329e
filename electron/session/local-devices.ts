import { readdir } from "node:fs/promises";

/** RDMA devices of this machine by name (Linux), or why there are none. */
export async function localDevices(): Promise<{ readonly devices: readonly string[]; readonly reason: string }> {
  if (process.platform !== "linux") return { devices: [], reason: "The InfiniBand tools run on Linux." };
  try {
    const devices = (await readdir("/sys/class/infiniband")).sort();
    return devices.length > 0 ? { devices, reason: "" } : { devices, reason: "No InfiniBand device found here." };
  } catch {
    return { devices: [], reason: "No InfiniBand device found here." };
  }
}

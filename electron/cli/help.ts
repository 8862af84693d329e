import { simulatedFabrics } from "../run/simulated/catalogue.ts";

const simulatedNames = simulatedFabrics.map(({ name }) => name).join(", ");

export const helpText = `Ibex, the InfiniBand fabric explorer, without its window.

  ibex inspect PATH… [--json]
      Reads a capture (.fabric), a folder or zip of raw outputs, or single files of
      ibnetdiscover, iblinkinfo, sminfo, ibdiagnet (db_csv), mlxlink, and prints what the fabric is and what is wrong.
      --shape fat-tree|dragonfly+|irregular    take the fabric for this, whatever it looks like
      One ib_write_bw or ib_send_lat output: prints its numbers in Gb/s and µs.

  ibex collect SOURCE --out FILE.fabric [--routes]
      Collects nodes, cables, port states, error counters and subnet managers into one
      capture. Reads only.
      --routes    the forwarding tables too (dump_fts; above 200 switches ibroute, one by one)

  ibex measure PATH --link NODE:PORT [SOURCE] [--yes]
      Runs perftest across a link of a capture, between two hosts that it chooses. Prints
      the record as one JSON line and keeps it in the history. A link is one of its ends,
      the node by its name or GUID: leaf-05:10, 0xb8cef60300010300:10.
      --client HOST --server HOST    other hosts than the chosen ones
      --preset quick         bandwidth one way for 10 s, then latency (unless told)
      --preset acceptance    30 s one way, 30 s both ways, latency of 20,000 messages
      --preset bandwidth     only that                --preset latency    only that
      --preset loaded        latency idle, then with a bandwidth test beside it
      --preset deep          1, 4 and 16 queue pairs one way, then 16 both ways
      --bw-tool ib_write_bw|ib_read_bw|ib_send_bw|raw_ethernet_bw   (the last on RoCE only,
                             alone: --preset bandwidth)
      --lat-tool ib_send_lat|ib_write_lat|ib_read_lat   (read: the whole round trip)
      --seconds N    of traffic            --bytes N    of a message
      --qps N        queue pairs           --both       both directions at once
      --messages N   of a latency test     --all-sizes  2 B to 8 MiB, --messages of each
      --mtu 256|512|1024|2048|4096         --gid-index N (RoCE)    --sl N  service level
      --gpu N        memory of CUDA device N on both hosts, where their perftest has it
      --yes    start without asking (it loads the link at line rate)
      --triangulate  after a slow or bad result: is it a node, the link or the route? Takes
                     third and fourth hosts and prints one more record with the answer
      --allow-busy   measure also where others use an adapter; else nothing is started there

  ibex plan PATH… --link NODE:PORT [--json]
      Which two hosts would measure a link, over which path, with which commands, and whether
      the data is known to cross it: by forwarding tables where the capture has them. Runs
      nothing. Options as for measure. hops counts cables, as ibex routes does.

  ibex sweep PATH… WHICH [SOURCE] [--dry-run] [--yes] [--resume]
      Measures many links, as many at a time as share no host, adapter or cable, in the fewest
      rounds. One JSON line for each result on stdout; slow ones are flagged as they come.
      WHICH: --all-inter-switch, --all-host-links, --host-links-of NODE, --links-of NODE, --degraded, --link NODE:PORT …
      --dry-run          the rounds and the time they take (with --json every plan); runs nothing
      --concurrency N    at a time at most (16)    --csv FILE    the results as a table
      --resume           go on with an unfinished sweep of the same links and options
      Options of what is run as for measure.

  ibex path PATH… --from END --to END [--json]
      Prints the route between two ports hop by hop, as ibtracert does, from forwarding tables
      beside the topology: outputs of dump_fts or ibroute, opensm-lfts.dump, opensm.fdbs.
      An END is the name of a node (n001), a LID, decimal (57) or as ibroute prints it (0x0039), or a
      GUID, 0x and up to 16 digits.

  ibex routes PATH… [--json]
      Prints how long the routes of all pairs of adapter ports are, how many destinations the
      cables between switches carry, what cannot be reached, and credit loops.

  ibex findings PATH… [--min-severity note|warning|error] [--json]
      What is wrong with a capture: evidence in numbers, likely cause, what to do.
      --thresholds FILE    limits other than those of the settings, as JSON:
                           { "SymbolErrorCounter": { "warn": 1, "error": 20 } } (inspect takes it too)

  ibex sm SOURCE [--json] [--log]
      All subnet managers with state, priority and activity, who takes over and why.
      --log    events and errors of opensm's log on the source's machine, its settings too
  ibex sm SOURCE --watch SECONDS [--json]
      Asks them at that interval and prints every change as a line (with --json one object
      with time, guid, lid, from, to, activity); kept in managers.jsonl of the data folder.

  SOURCE is one of
      --ssh [user@]host[:port]    a machine that reaches the fabric
          --identity FILE         private key; else the SSH agent, ~/.ssh/config, a password prompt
          --jump [user@]host[:port]
          --accept-new-host-key   remember an unknown host key (a changed one is always refused)
      --local                     this machine
      --simulated NAME            a fabric in memory:
                                  ${simulatedNames}
      --sudo                      run the InfiniBand tools through sudo -n
      --hca NAME --port N         HCA and port for the tools
      --host-map FILE             lines "name [user@]host[:port]" for the hosts of the fabric
      --host-rule TEXT            SSH name of a host, {name} is the first word of its description
      --hosts-direct              reach the hosts from here, not through the source

  Exit codes: 0 done, 1 it failed on the way, 2 the input or an option cannot be used, 130 cancelled.
  Results go to stdout, progress and errors to stderr. IBEX_DATA names another data folder.
`;

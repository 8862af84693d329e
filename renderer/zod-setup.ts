import { z } from "zod";

// Must run before the first schema is made: zod's compiled checks probe for `new Function`, which the window's CSP
// refuses and reports.
z.config({ jitless: true });

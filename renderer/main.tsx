import "./zod-setup.ts";
import { createRoot } from "react-dom/client";
import { createApi } from "./api.ts";
import { App } from "./app.tsx";
import { provideApi } from "./state/api-context.ts";
import "./theme/tokens.css";
import "./theme/base.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
provideApi(createApi(window.fabric));
createRoot(root).render(<App />);

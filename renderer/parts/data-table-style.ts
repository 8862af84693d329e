/** Lets `style` carry custom properties (`--columns`), which the browser takes and React's types leave out. */
declare module "react" {
  interface CSSProperties {
    readonly [custom: `--${string}`]: string | number | undefined;
  }
}
export {};

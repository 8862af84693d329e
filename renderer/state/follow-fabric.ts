import { useFabric } from "./fabric-store.ts";

/**
 * Follows something of every fabric that is opened, from the moment it is open: what is shown elsewhere tells its word,
 * whichever view is open. Returns the function that ends it.
 *
 * @param followed the fabric that is followed already
 */
export function followFabric(
  followed: () => string | undefined,
  follow: (fabricId: string) => Promise<void>,
): () => void {
  const begin = (fabricId: string | undefined): void => {
    if (fabricId !== undefined && fabricId !== followed()) void follow(fabricId);
  };
  begin(useFabric.getState().view?.fabricId);
  return useFabric.subscribe(({ view }) => begin(view?.fabricId));
}

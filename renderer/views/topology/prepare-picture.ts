/**
 * The worker of the open fabric's picture. It starts while the fabric is still read, and prepares its structure while the
 * window mounts: the picture comes that much earlier.
 */
import { picturedOf } from "../../graph/graph-model.ts";
import { GraphWorker, isSmall } from "../../graph/layout-client.ts";
import { useFabric } from "../../state/fabric-store.ts";

export const pictureWorker = new GraphWorker();

/**
 * Gives the worker every large fabric that is opened, and ends it when none is, or a small one stands in the place of a
 * large one, which it would hold for nothing. Returns the function that stops that.
 */
export function preparePictures(): () => void {
  return useFabric.subscribe(({ view, loading }, before) => {
    if (loading !== undefined && loading !== before.loading) pictureWorker.warm();
    if (view === before.view) return;
    if (view === undefined) pictureWorker.close();
    else if (!isSmall(view.fabric)) pictureWorker.hold(view.fabric, picturedOf(view.analysis));
    else if (before.view !== undefined && !isSmall(before.view.fabric)) pictureWorker.close();
  });
}

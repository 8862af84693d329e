import "./table-view.css";

/** In the place of a large table until its rows are ready; says so when that takes longer than a glance. */
export function TablePending({ what }: { readonly what: string }) {
  return (
    <div className="table-view" aria-busy="true">
      <p className="table-pending" role="status">
        Sorting the {what}
      </p>
    </div>
  );
}

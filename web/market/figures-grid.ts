/** Two figures side by side on a phone, four on a wide screen; the skeleton uses the same grid. */
export const FIGURES_GRID =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] gap-3 sm:grid-cols-2 sm:gap-4 xl:grid-cols-4'

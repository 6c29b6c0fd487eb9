/** Two beside each other on a phone, four where there is room; the same while they are awaited. */
export const FIGURES_GRID =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] gap-3 sm:grid-cols-2 sm:gap-4 xl:grid-cols-4'

/** Two beside each other on a phone, four where there is room; the same while they are awaited. */
export const FIGURES_GRID = 'grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4'

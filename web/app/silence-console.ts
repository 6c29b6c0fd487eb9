/**
 * The browser's own console.error; only failure reports still write to it (docs/product.md §2, error
 * screens).
 */
export const writeToConsole = console.error.bind(console)

/** The app silences all console output at its entry (docs/product.md §7), except in development. */
if (import.meta.env.PROD) {
  for (const [name, method] of Object.entries(console)) {
    if (typeof method === 'function') Object.assign(console, { [name]: () => undefined })
  }
}

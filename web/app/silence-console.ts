/** The console as the browser gave it; only failure reports still write to it (docs/product.md §2, error screens). */
export const writeToConsole = console.error.bind(console)

/** docs/product.md §7: the app silences all console output at its entry. Developers keep theirs. */
if (import.meta.env.PROD) {
  for (const [name, method] of Object.entries(console)) {
    if (typeof method === 'function') Object.assign(console, { [name]: () => undefined })
  }
}

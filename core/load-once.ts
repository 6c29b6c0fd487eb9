/**
 * Loads something with the first call that needs it. A failure is not kept: the next call loads it again, because a file
 * that could not be read may be readable by then.
 */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  return async () => {
    const mine = (loading ??= load())
    try {
      return await mine
    } catch (error) {
      if (loading === mine) loading = undefined
      throw error
    }
  }
}

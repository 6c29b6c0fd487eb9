/** Shares one request: calls that come while it is under way get its answer. */
export function askTogether<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let underWay: Promise<Answer> | undefined
  return () => {
    underWay ??= ask().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

/**
 * Counts what is in flight to each endpoint, so that one that answers slowly cannot take every slot of the worker.
 * @param limit exchanges in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 */
export function createEndpointGate(limit: number): { enter: (endpoint: string) => (() => void) | undefined } {
  const inFlight = new Map<string, number>()
  return {
    enter: (endpoint) => {
      const count = inFlight.get(endpoint) ?? 0
      if (count >= limit) return undefined
      inFlight.set(endpoint, count + 1)
      let entered = true
      return () => {
        if (!entered) return
        entered = false
        const left = (inFlight.get(endpoint) ?? 1) - 1
        if (left === 0) inFlight.delete(endpoint)
        else inFlight.set(endpoint, left)
      }
    },
  }
}

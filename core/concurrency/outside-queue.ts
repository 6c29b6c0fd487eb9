import { AsyncLocalStorage } from 'node:async_hooks'

/** Lets a request give up its place in a request queue and take it again. */
export interface Place {
  stepOut: <Result>(wait: () => Promise<Result>) => Promise<Result>
}

/** The place of the current request, kept in async context so that no function has to pass it on. */
const places = new AsyncLocalStorage<Place>()

/** Runs a request that has this place. */
export async function runInPlace<Result>(place: Place, request: () => Promise<Result>): Promise<Result> {
  return await places.run(place, request)
}

/**
 * Waits for another service (an endpoint, a payment provider, another queue). If the caller is a request in its
 * account's queue, the request gives up its place for the wait, and that time does not count. Work before and after the
 * wait needs a place in the queue.
 */
export async function outsideQueue<Result>(wait: () => Promise<Result>): Promise<Result> {
  const place = places.getStore()
  return place === undefined ? await wait() : await place.stepOut(wait)
}

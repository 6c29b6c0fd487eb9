import { AsyncLocalStorage } from 'node:async_hooks'

/** The ways in which a request can give up its place in a line and take it again. */
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
 * Waits for somebody else (an endpoint, a payment provider, a turn): where that is part of a request in its account's line, the request
 * gives up its place meanwhile, and its time does not count. Whatever it does before and after stands in the line.
 */
export async function outsideLine<Result>(wait: () => Promise<Result>): Promise<Result> {
  const place = places.getStore()
  return place === undefined ? await wait() : await place.stepOut(wait)
}

/**
 * A screen's file could not be downloaded. React caches the failure of a lazy component, so only a reload
 * tries again.
 */
export class ScreenLoadError extends Error {
  override readonly name = 'ScreenLoadError'

  constructor(screen: string, cause: unknown) {
    super(`The file of the screen ${screen} could not be loaded`, { cause })
  }
}

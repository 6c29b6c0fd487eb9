/** A screen's file could not be downloaded. React remembers that of a lazy component, so only a reload asks for it again. */
export class ScreenLoadError extends Error {
  override readonly name = 'ScreenLoadError'

  constructor(screen: string, cause: unknown) {
    super(`The file of the screen ${screen} could not be loaded`, { cause })
  }
}

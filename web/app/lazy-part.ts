import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { whenOnline } from '../hooks/when-online.ts'
import { isReloading, reloadOnce } from './reload-when-stale.ts'
import { ScreenLoadError } from './screen-load-error.ts'

/** Part of a screen in a chunk of its own; what shows it stands in a Suspense. One that cannot be loaded is a failure of the screen. */
export function lazyPart<Props>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    await whenOnline()
    try {
      return { default: await load() }
    } catch (cause) {
      // Whoever fetched it early at the same time has not had the page loaded anew.
      if (isReloading() || reloadOnce()) return { default: () => null }
      throw new ScreenLoadError(name, cause)
    }
  })
}

import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { whenOnline } from '../hooks/when-online.ts'
import { isReloading, reloadOnce } from './reload-when-stale.ts'
import { ScreenLoadError } from './screen-load-error.ts'

/**
 * A part of a screen in its own chunk, to be shown inside Suspense. A part that cannot be loaded fails the
 * screen.
 */
export function lazyPart<Props>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    await whenOnline()
    try {
      return { default: await load() }
    } catch (cause) {
      // A prefetch of the same part may have failed without a reload, so we reload here.
      if (isReloading() || reloadOnce()) return { default: () => null }
      throw new ScreenLoadError(name, cause)
    }
  })
}

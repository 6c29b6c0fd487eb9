import { lazy, Suspense, type ComponentType } from 'react'
import { isReloading } from './reload-when-stale.ts'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { PageSkeleton } from '../ui/wait/PageSkeleton.tsx'
import { ScreenLoadError } from './screen-load-error.ts'

/** docs/product.md §2: screens load on demand; those named Page or Dashboard show the page skeleton, others the card. */
export function lazyScreen(name: string, load: () => Promise<ComponentType>) {
  const Screen = lazy(async () => {
    try {
      return { default: await load() }
    } catch (cause) {
      if (isReloading()) return { default: () => null }
      throw new ScreenLoadError(name, cause)
    }
  })
  const skeleton = /Page|Dashboard/.test(name) ? <PageSkeleton /> : <CardSkeleton />
  return (
    <Suspense key={name} fallback={skeleton}>
      <Screen />
    </Suspense>
  )
}

import { Suspense, type ComponentType } from 'react'
import { lazyPart } from './lazy-part.ts'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { PageSkeleton } from '../ui/wait/PageSkeleton.tsx'

/**
 * Loads a screen on demand (docs/product.md §2). Screens named Page or Dashboard show the page skeleton,
 * others the card.
 */
export function lazyScreen(name: string, load: () => Promise<ComponentType>) {
  const Screen = lazyPart(name, load)
  const skeleton = /Page|Dashboard/.test(name) ? <PageSkeleton /> : <CardSkeleton />
  return (
    <Suspense key={name} fallback={skeleton}>
      <Screen />
    </Suspense>
  )
}

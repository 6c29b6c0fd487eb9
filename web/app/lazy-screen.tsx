import { Suspense, type ComponentType } from 'react'
import { lazyPart } from './lazy-part.ts'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { PageSkeleton } from '../ui/wait/PageSkeleton.tsx'

/** docs/product.md §2: screens load on demand; those named Page or Dashboard show the page skeleton, others the card. */
export function lazyScreen(name: string, load: () => Promise<ComponentType>) {
  const Screen = lazyPart(name, load)
  const skeleton = /Page|Dashboard/.test(name) ? <PageSkeleton /> : <CardSkeleton />
  return (
    <Suspense key={name} fallback={skeleton}>
      <Screen />
    </Suspense>
  )
}

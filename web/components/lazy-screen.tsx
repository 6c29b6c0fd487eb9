import { lazy, Suspense, type ComponentType } from 'react'
import { CardSkeleton } from '../ui/CardSkeleton.tsx'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'

/** SPEC.md §2: screens load on demand; those named Page or Dashboard show the page skeleton, others the card. */
export function lazyScreen(name: string, load: () => Promise<ComponentType>) {
  const Screen = lazy(async () => ({ default: await load() }))
  const skeleton = /Page|Dashboard/.test(name) ? <PageSkeleton /> : <CardSkeleton />
  return (
    <Suspense key={name} fallback={skeleton}>
      <Screen />
    </Suspense>
  )
}

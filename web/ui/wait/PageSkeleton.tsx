import { SkeletonLines } from './CardSkeleton.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Waiting } from './Waiting.tsx'

const SIX = [1, 2, 3, 4, 5, 6]

/** docs/product.md §2: a title bar plus six cards, while a page or dashboard loads. */
export function PageSkeleton() {
  return (
    <Waiting className="flex flex-col gap-6">
      <Skeleton className="h-9 w-56" />
      <SixCards />
    </Waiting>
  )
}

/** The same beneath a title that is there. */
export function CardsSkeleton() {
  return (
    <Waiting>
      <SixCards />
    </Waiting>
  )
}

function SixCards() {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {SIX.map((card) => (
        <div key={card} className="rounded-lg border border-line bg-surface p-4">
          <SkeletonLines />
        </div>
      ))}
    </div>
  )
}

import { SkeletonLines } from './CardSkeleton.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Waiting } from './Waiting.tsx'

const SIX = [1, 2, 3, 4, 5, 6]

/** A title bar and six cards, shown while a page or dashboard loads (docs/product.md §2). */
export function PageSkeleton() {
  return (
    <Waiting className="flex flex-col gap-6">
      <Skeleton className="h-9 w-56" />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {SIX.map((card) => (
          <div key={card} className="rounded-lg border border-line bg-surface p-4">
            <SkeletonLines />
          </div>
        ))}
      </div>
    </Waiting>
  )
}

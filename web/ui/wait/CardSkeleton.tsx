import { Skeleton } from './Skeleton.tsx'
import { Waiting } from './Waiting.tsx'

/** Shown while a screen or section without a page skeleton loads (docs/product.md §2). */
export function CardSkeleton() {
  return (
    <Waiting className="rounded-lg border border-line bg-surface p-4">
      <SkeletonLines />
    </Waiting>
  )
}

export function SkeletonLines() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="h-3 w-full" />
      <Skeleton className="h-3 w-4/5" />
      <Skeleton className="mt-3 h-8 w-28" />
    </div>
  )
}

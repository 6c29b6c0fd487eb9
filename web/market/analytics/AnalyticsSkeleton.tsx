import { FIGURES_GRID } from '../figures-grid.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'

const TILES = [1, 2, 3, 4]

/** A skeleton in the shape of the figures. */
export function AnalyticsSkeleton() {
  return (
    <Waiting label="Loading the figures" className="flex flex-col gap-6">
      <div className={FIGURES_GRID}>
        {TILES.map((tile) => (
          <Skeleton key={tile} className="h-37 w-full" />
        ))}
      </div>
      <Skeleton className="h-64 w-full" />
      <Skeleton className="h-64 w-full" />
    </Waiting>
  )
}

import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { FIGURES_GRID } from '../figures-grid.ts'

const FOUR = [1, 2, 3, 4]

/** The sentence, the chart and the four figures, while they load. */
export function DashboardSkeleton() {
  return (
    <Waiting className="flex flex-col gap-6">
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-66 w-full" />
      <div className={FIGURES_GRID}>
        {FOUR.map((tile) => (
          <Skeleton key={tile} className="h-27 w-full" />
        ))}
      </div>
    </Waiting>
  )
}

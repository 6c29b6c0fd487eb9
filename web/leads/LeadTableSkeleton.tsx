import { Skeleton } from '../ui/wait/Skeleton.tsx'
import { Waiting } from '../ui/wait/Waiting.tsx'

const ROWS = [1, 2, 3, 4, 5, 6, 7, 8]

/** Has the table's own measures, a 36 px head and 36 px rows, so that nothing jumps when the leads arrive. */
export function LeadTableSkeleton() {
  return (
    <Waiting label="Loading leads">
      <div className="h-9 border-b border-line bg-sunken" />
      {ROWS.map((row) => (
        <div key={row} className="flex h-9 items-center gap-6 border-b border-line px-4 last:border-b-0">
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 w-28" />
          <Skeleton className="hidden h-3 w-8 sm:block" />
          <Skeleton className="hidden h-3 w-24 sm:block" />
          <Skeleton className="hidden h-3 w-20 md:block" />
        </div>
      ))}
    </Waiting>
  )
}

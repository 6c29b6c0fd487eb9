import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'

export function LogsSkeleton() {
  return (
    <Waiting label="Loading delivery logs" className="flex flex-col gap-4 px-5 py-4">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <div key={row} className="flex items-center gap-6">
          <Skeleton className="h-8 w-48" />
          <Skeleton className="h-5 w-16" />
          <Skeleton className="hidden h-4 flex-1 sm:block" />
        </div>
      ))}
    </Waiting>
  )
}

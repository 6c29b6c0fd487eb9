import { WifiOff } from 'lucide-react'
import { useConnection } from './use-connection.ts'

const CLOCK = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/**
 * While the browser is offline, says how old the data on screen is and that nothing can be changed. Before
 * sign-in there is no data to date.
 */
export function OfflineStrip({ beforeApp = false }: { beforeApp?: boolean }) {
  const { online, dataAt } = useConnection()
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center gap-2 border-b border-line bg-waiting-soft px-4 py-2 text-sm text-waiting sm:px-6 lg:px-8 print:hidden">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          <span>
            {dataAt === null || beforeApp
              ? 'You are offline.'
              : `You are offline. Showing data from ${CLOCK.format(dataAt)}.`}{' '}
            Nothing is sent until you are back and press again.
          </span>
        </p>
      )}
    </div>
  )
}

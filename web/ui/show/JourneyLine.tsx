import clsx from 'clsx'
import { Fragment } from 'react'
import { ExactTime } from './ExactTime.tsx'
import { exactTime } from './format-time.ts'
import { formatSpan } from './format-span.ts'
import type { Station, StationState } from './station.ts'

export interface JourneyLineProps {
  stations: readonly Station[]
  /** Shows only dots, for a table row; the words become the accessible name. */
  compact?: boolean
}

const DOT: Record<StationState, string> = {
  done: 'border-accent bg-accent forced-colors:bg-[CanvasText]',
  waiting: 'border-waiting bg-(--ground)',
  failed: 'border-failure bg-failure',
  ahead: 'border-line-strong bg-(--ground)',
}

const WORD: Record<StationState, string> = {
  done: 'done',
  waiting: 'waiting',
  failed: 'failed',
  ahead: 'not yet',
}

/** The lead's journey as one thin line. A failed station is the only red on the screen. */
export function JourneyLine({ stations, compact = false }: JourneyLineProps) {
  if (compact) {
    const name = stations.map((station) => `${station.label}: ${WORD[station.state]}`).join(', ')
    return (
      <span role="img" aria-label={name} title={name} className="inline-flex items-center">
        {stations.map((station, index) => (
          <Fragment key={station.key}>
            {index > 0 && <span className={clsx('h-px w-4', lineTone(station.state))} />}
            <span className={clsx('size-2 rounded-full border-[1.5px]', DOT[station.state])} />
          </Fragment>
        ))}
      </span>
    )
  }
  return (
    <ol className="flex flex-col sm:flex-row">
      {stations.map((station, index) => (
        <li
          key={station.key}
          className="relative flex min-w-0 flex-1 gap-3 pb-2.5 last:flex-none last:pb-0 sm:flex-col sm:gap-1.5 sm:pb-0 sm:last:max-w-2/5"
        >
          {index < stations.length - 1 && (
            <span
              aria-hidden
              className={clsx(
                'absolute top-3 bottom-0 left-[5px] w-px sm:top-[5px] sm:right-0 sm:bottom-auto sm:left-3 sm:h-px sm:w-auto',
                lineTone(stations[index + 1]?.state ?? 'ahead'),
              )}
            />
          )}
          <span
            aria-hidden
            className={clsx(
              'relative mt-1 size-[11px] shrink-0 rounded-full border-2 sm:mt-0',
              DOT[station.state],
            )}
          />
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm sm:block sm:pr-4">
            <p
              className={clsx('font-medium', {
                'text-failure': station.state === 'failed',
                'text-waiting': station.state === 'waiting',
                'text-faint': station.state === 'ahead',
              })}
            >
              {station.label}
              <span className="sr-only">: {WORD[station.state]}</span>
            </p>
            {(station.at ?? station.note) !== undefined && (
              <p className="text-xs break-words text-muted tabular">
                <Moment stations={stations} index={index} />
                {station.note !== undefined && (
                  <span className={station.at ? 'before:content-["_·_"]' : ''}>{station.note}</span>
                )}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function lineTone(next: StationState) {
  // The line is a background, which forced colours would remove.
  const seen = 'forced-colors:bg-[CanvasText]'
  if (next === 'failed') return `bg-failure ${seen}`
  return next === 'done' ? `bg-accent ${seen}` : `bg-line-strong ${seen}`
}

/** Shows when the first station was reached, and how long each later one took ("+40 ms"); the time on hover. */
function Moment({ stations, index }: { stations: readonly Station[]; index: number }) {
  const at = stations[index]?.at
  if (!at) return null
  const before = stations.slice(0, index).findLast((station) => station.at)?.at
  if (!before) return <ExactTime at={at} />
  return (
    <time dateTime={at} title={exactTime(at)}>
      +{formatSpan(Date.parse(at) - Date.parse(before))}
    </time>
  )
}

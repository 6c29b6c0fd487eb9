import { PERIODS } from '#core/contract/market/analytics.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { fitPeriod } from './fit-period.ts'

const CUSTOM = 'custom'
const PERIOD_OPTIONS = [
  ...PERIODS.map((days) => ({ value: days as string, label: `Last ${days} days` })),
  { value: CUSTOM, label: 'Custom dates' },
]
const DEFAULT = '30'

/** A period by its length until today or by its dates; empty texts mean the default length. */
export interface ChosenPeriod {
  days: string
  from: string
  to: string
}

export interface PeriodFilterProps {
  period: ChosenPeriod
  /** undefined until the first figures have loaded */
  shown: Pick<ChosenPeriod, 'from' | 'to'> | undefined
  mostDays: number
  onChange: (changed: Partial<ChosenPeriod>) => void
}

export function PeriodFilter({ period, shown, mostDays, onChange }: PeriodFilterProps) {
  const isCustom = period.from !== '' || period.to !== ''
  const changePeriod = (chosen: string) => {
    if (chosen !== CUSTOM) onChange({ days: chosen === DEFAULT ? '' : chosen, from: '', to: '' })
    else if (shown !== undefined) onChange({ days: '', from: shown.from, to: shown.to })
  }
  const changeDate = (changed: { from: string } | { to: string }) =>
    onChange(fitPeriod(period, changed, mostDays))
  return (
    <>
      <Select
        aria-label="Period"
        value={isCustom ? CUSTOM : period.days === '' ? DEFAULT : period.days}
        onValueChange={changePeriod}
        options={PERIOD_OPTIONS}
        className="w-auto! min-w-36 flex-1 sm:flex-none"
      />
      {isCustom && (
        <>
          <TextInput
            type="date"
            aria-label="From"
            value={period.from}
            onChange={({ target: { value } }) => value !== '' && changeDate({ from: value })}
            className="w-auto! flex-1 sm:flex-none"
          />
          <TextInput
            type="date"
            aria-label="To"
            value={period.to}
            onChange={({ target: { value } }) => value !== '' && changeDate({ to: value })}
            className="w-auto! flex-1 sm:flex-none"
          />
        </>
      )}
    </>
  )
}

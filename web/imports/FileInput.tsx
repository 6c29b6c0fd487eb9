import clsx from 'clsx'
import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { useFieldAttributes } from '#web/ui/form/field-context.ts'

/** The browser's own file input, which works by keyboard and by drop. */
export function FileInput({ onChoose }: { onChoose: (file: File | undefined) => void }) {
  const attributes = useFieldAttributes(undefined)
  return (
    <input
      {...attributes}
      type="file"
      accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
      onChange={(event) => onChoose(event.target.files?.[0])}
      className={clsx(
        CONTROL_CLASS,
        'h-9 pl-1! file:mr-3 file:h-7 file:rounded-md file:border-0 file:bg-sunken file:px-3 file:text-sm file:font-medium file:text-ink',
      )}
    />
  )
}

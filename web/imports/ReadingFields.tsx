import { DELIMITERS, ENCODINGS, type Delimiter, type Encoding } from '#core/contract/imports/lead-import.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { DELIMITER_NAMES, ENCODING_NAMES } from './import-words.ts'

/** Settings for reading the file. Empty ones are detected from the file. */
export interface Reading {
  encoding: Encoding | ''
  delimiter: Delimiter | ''
  /** the number of the row that names the columns */
  header: string
}

export const FOUND_OUT: Reading = { encoding: '', delimiter: '', header: '' }
const OPTION = { value: '' as const, label: 'Detected from the file' }
/** Header rows that can be chosen before the file has been read. */
const UNSEEN = Array.from({ length: 20 }, (_, at) => ({ row: at + 1, text: '' }))

/** Converts the fields' values to those of the API. */
export function wishOf({ encoding, delimiter, header }: Reading) {
  return {
    encoding: encoding === '' ? null : encoding,
    delimiter: delimiter === '' ? null : delimiter,
    header: header === '' ? null : Number(header),
  }
}

/** @param head the first rows of the file, once it is read */
export function ReadingFields({
  value,
  head = UNSEEN,
  onChange,
}: {
  value: Reading
  head?: readonly { row: number; text: string }[] | undefined
  onChange: (value: Reading) => void
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Encoding">
        <Select
          value={value.encoding}
          onValueChange={(encoding) => onChange({ ...value, encoding })}
          options={[
            OPTION,
            ...ENCODINGS.map((encoding) => ({ value: encoding, label: ENCODING_NAMES[encoding] })),
          ]}
        />
      </Field>
      <Field label="Cells separated by">
        <Select
          value={value.delimiter}
          onValueChange={(delimiter) => onChange({ ...value, delimiter })}
          options={[
            OPTION,
            ...DELIMITERS.map((delimiter) => ({ value: delimiter, label: DELIMITER_NAMES[delimiter] })),
          ]}
        />
      </Field>
      <Field label="Columns named by" className="sm:col-span-2">
        <Select
          value={value.header}
          onValueChange={(header) => onChange({ ...value, header })}
          options={[
            OPTION,
            ...head.map(({ row, text }) => ({
              value: String(row),
              label: text === '' ? `Row ${row}` : `Row ${row}: ${text}`,
            })),
          ]}
        />
      </Field>
    </div>
  )
}

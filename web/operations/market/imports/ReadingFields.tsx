import { DELIMITERS, ENCODINGS, type Delimiter, type Encoding } from '#core/contract/leads/lead-import.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { DELIMITER_NAMES, ENCODING_NAMES } from './import-words.ts'

/** Empty: found out by looking at the file. */
export interface Reading {
  encoding: Encoding | ''
  delimiter: Delimiter | ''
}

const FOUND_OUT = { value: '' as const, label: 'Found out from the file' }

export function ReadingFields({ value, onChange }: { value: Reading; onChange: (value: Reading) => void }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Encoding">
        <Select
          value={value.encoding}
          onValueChange={(encoding) => onChange({ ...value, encoding })}
          options={[
            FOUND_OUT,
            ...ENCODINGS.map((encoding) => ({ value: encoding, label: ENCODING_NAMES[encoding] })),
          ]}
        />
      </Field>
      <Field label="Cells separated by">
        <Select
          value={value.delimiter}
          onValueChange={(delimiter) => onChange({ ...value, delimiter })}
          options={[
            FOUND_OUT,
            ...DELIMITERS.map((delimiter) => ({ value: delimiter, label: DELIMITER_NAMES[delimiter] })),
          ]}
        />
      </Field>
    </div>
  )
}

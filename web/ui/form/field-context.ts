import { createContext, useContext } from 'react'

export interface FieldWiring {
  controlId: string
  labelId: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

export const FieldContext = createContext<FieldWiring | null>(null)

/** Attributes that connect a control to the label, hint and error of the Field around it. */
export function useFieldAttributes(ownId?: string) {
  const field = useContext(FieldContext)
  if (field === null) return ownId === undefined ? {} : { id: ownId }
  return {
    id: ownId ?? field.controlId,
    ...(field.describedBy === undefined ? {} : { 'aria-describedby': field.describedBy }),
    ...(field.invalid ? { 'aria-invalid': true as const } : {}),
    ...(field.required ? { 'aria-required': true as const } : {}),
  }
}

export function useFieldLabelId() {
  return useContext(FieldContext)?.labelId
}

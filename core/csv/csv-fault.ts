/** The reason why a whole file cannot be read. */
export type CsvFaultCode =
  | 'workbook'
  | 'not_text'
  | 'empty'
  | 'no_rows'
  | 'no_header'
  | 'no_header_row'
  | 'too_many_columns'
  | 'too_many_rows'
  | 'row_too_long'
  | 'quote_not_closed'

export class CsvFault extends Error {
  override readonly name = 'CsvFault'
  readonly code: CsvFaultCode
  /** the row's number as a spreadsheet counts, if one row is at fault */
  readonly row: number | undefined
  constructor(code: CsvFaultCode, row?: number) {
    super(code)
    this.code = code
    this.row = row
  }
}

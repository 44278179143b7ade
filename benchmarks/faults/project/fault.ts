/** Whether this fault is planted. FAULT names one; the line that fails ends in `// planted: <name>`. */
export const planted = (name: string): boolean => process.env['FAULT'] === name

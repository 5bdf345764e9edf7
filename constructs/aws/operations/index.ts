export type { AlarmOptions, TableAlarmsProps } from './alarms';
export { AccountAlarms, TableAlarms } from './alarms';
export type { TableBackupProps } from './backup';
export { TableBackup } from './backup';
export type { TableDashboardProps } from './dashboard';
export { TableDashboard } from './dashboard';
export { warnOfDataLoss } from './data-loss';
export type { ThrottleCause } from './metrics';
export type { Operation, WatchedTable } from './watched';

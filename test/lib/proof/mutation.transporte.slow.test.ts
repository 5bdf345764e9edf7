import { ALONE, describeMutants } from './mutation';

// The copy at the top is always written with the state that it is a copy of.
const COPY = 'estado is data.estado';

describeMutants('transporte', {
  "TransporteApp.entities.Vehiculo.keys.GSI1PK: 'STATUS#<data.estado>' → 'STATUS#<estado>'": COPY,
  "TransporteApp.entities.Remolque.keys.GSI1PK: 'STATUS#<data.estado>' → 'STATUS#<estado>'": COPY,
  "TransporteApp.patterns.tripsOfDate.where.GSI2SK: {'beginsWith':'VIAJE#'} → none": ALONE,
  "TransporteApp.patterns.waybillByFolio.where.GSI3SK: {'beginsWith':'CARTA#'} → none": ALONE,
  "TransporteApp.patterns.waybillOfTrip.where.GSI2SK: {'beginsWith':'CARTA#'} → none": ALONE,
});
